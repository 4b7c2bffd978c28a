"""What an agent sees: the document as text, as a picture, and public checks of it."""
