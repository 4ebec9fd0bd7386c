"""Let KiCad check the rules of a board, and plot its gerbers. Run it with the Python that has `pcbnew`.

    /usr/bin/python3 maker/drawings/chipboard/kicad.py version
    /usr/bin/python3 maker/drawings/chipboard/kicad.py check BOARD REPORT
    /usr/bin/python3 maker/drawings/chipboard/kicad.py plot BOARD FOLDER

It imports nothing of this project, because that Python has none of our packages.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pcbnew

LAYERS = (
    ("F_Cu", pcbnew.F_Cu),
    ("B_Cu", pcbnew.B_Cu),
    ("F_Mask", pcbnew.F_Mask),
    ("B_Mask", pcbnew.B_Mask),
    ("F_SilkS", pcbnew.F_SilkS),
    ("B_SilkS", pcbnew.B_SilkS),
    ("Edge_Cuts", pcbnew.Edge_Cuts),
)


def version() -> None:
    print(pcbnew.GetBuildVersion())


def check(path: str, report: str) -> None:
    # KiCad has renamed this constant.
    newer = hasattr(pcbnew, "EDA_UNITS_MM")
    millimetres = pcbnew.EDA_UNITS_MM if newer else pcbnew.EDA_UNITS_MILLIMETRES
    pcbnew.WriteDRCReport(pcbnew.LoadBoard(path), report, millimetres, True)


def plot(path: str, folder: str) -> None:
    board = pcbnew.LoadBoard(path)
    control = pcbnew.PLOT_CONTROLLER(board)
    options = control.GetPlotOptions()
    options.SetOutputDirectory(folder)
    options.SetPlotFrameRef(False)
    options.SetUseAuxOrigin(True)
    options.SetUseGerberProtelExtensions(False)
    options.SetUseGerberX2format(True)
    options.SetIncludeGerberNetlistInfo(True)
    options.SetCreateGerberJobFile(False)
    options.SetSubtractMaskFromSilk(True)
    for name, layer in LAYERS:
        control.SetLayer(layer)
        control.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        control.PlotLayer()
    control.ClosePlot()
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetOptions(False, False, board.GetDesignSettings().GetAuxOrigin(), False)
    drill.SetFormat(True)
    drill.CreateDrillandMapFilesSet(folder, True, False)


def main() -> int:
    action, *arguments = sys.argv[1:]
    actions: dict[str, Callable[..., None]] = {"version": version, "check": check, "plot": plot}
    actions[action](*(str(Path(it).resolve()) for it in arguments))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
