// Nothing to call: what is linked with this target has no language data of its own. See NoLanguageData.c.
