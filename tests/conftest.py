"""Settings for all tests: `--hypothesis-profile=find` looks for failures without shrinking."""

from __future__ import annotations

from hypothesis import Phase, settings

settings.register_profile("find", phases=[Phase.explicit, Phase.reuse, Phase.generate])
settings.register_profile("default", deadline=None)
settings.load_profile("default")
