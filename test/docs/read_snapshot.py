"""Prints the records of one part of a snapshot as JSON lines, and checks every hash.

    python3 read_snapshot.py output stories/published/default
"""

import hashlib
import json
import sys
from pathlib import Path

KEYED = ("stories/", "variants/", "links/")


def read_part(output, part):
    manifest = json.loads((output / "manifest.json").read_bytes())
    if manifest["format"] != 1:
        sys.exit(f"unknown format {manifest['format']}")
    for shard in manifest["parts"][part]["shards"]:
        short = shard["hash"][:32]
        if part == "assets" or part.startswith(KEYED):
            file = f"{part}/{shard['prefix'] or 'all'}.{short}.json"
        else:
            file = f"{part}.{short}.json"
        data = (output / "snapshot" / file).read_bytes()
        if hashlib.sha256(data).hexdigest() != shard["hash"]:
            sys.exit(f"{file} is damaged")
        yield from json.loads(data)


if __name__ == "__main__":
    for record in read_part(Path(sys.argv[1]), sys.argv[2]):
        print(json.dumps(record))
