"""Runs each Python sample of the README in a process of its own."""

import re
import subprocess
import sys
from pathlib import Path

readme = (Path(__file__).parent.parent / "README.md").read_text()
samples = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
assert len(samples) > 5, len(samples)

if len(sys.argv) > 1:
    for number, sample in enumerate(samples):
        Path(sys.argv[1], f"sample_{number}.py").write_text(sample)
    sys.exit()
for sample in samples:
    subprocess.run([sys.executable, "-c", sample], check=True, timeout=300)
print(f"{len(samples)} samples ran")
