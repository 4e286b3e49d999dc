"""What Python runs first, as `sitecustomize` of the recording's folder; then the `sitecustomize` that this one hides."""

import _frozen_importlib  # what `importlib` is made of: nothing is loaded for it
import _frozen_importlib_external
import os
import sys


def _begin() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    try:
        from _gate_recorder.start import begin  # type: ignore[import-not-found]

        begin(os.path.dirname(here))
    finally:
        sys.path[:] = [place for place in sys.path if os.path.abspath(place) != here]
        sys.path_importer_cache.pop(here, None)


def _go_on() -> None:
    spec = _frozen_importlib_external.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = _frozen_importlib.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


try:
    _begin()
except Exception:
    pass
_go_on()
