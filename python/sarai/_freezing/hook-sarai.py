"""The files beside the modules, which PyInstaller would leave out."""  # noqa: N999  (it is PyInstaller's name)

from PyInstaller.utils.hooks import collect_data_files  # type: ignore[import-untyped]

datas = collect_data_files("sarai")
