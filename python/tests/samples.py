"""Writes each Python sample of a README to a separate file: samples.py README FOLDER."""

import re
import sys
from pathlib import Path

readme, folder = Path(sys.argv[1]), Path(sys.argv[2])
samples = re.findall(r"```python\n(.*?)```", readme.read_text(), re.DOTALL)
assert len(samples) > 5, len(samples)

folder.mkdir()
for number, sample in enumerate(samples):
    Path(folder, f"sample_{number}.py").write_text(sample)
