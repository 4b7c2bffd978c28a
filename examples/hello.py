"""Hello, drawing: one episode. Run: python examples/hello.py"""

import gymnasium as gym

env = gym.make("vbench_env:VBench/SvgRepair-v0", task="harbor-dawn", protocol="interactive-text")
observation, info = env.reset(seed=0)
print(observation["instruction"])

call = {"tool": "set_text", "args": {"object": "sign-bottom", "text": "MARKET"}}
observation, reward, terminated, truncated, info = env.step(call)
print(observation["last_result"])

observation, reward, terminated, truncated, info = env.step('{"tool": "submit"}')
repaired = [repair["object"] for repair in info["score"]["repairs"] if repair["passed"]]
print(reward, info["score"]["status"], repaired)
