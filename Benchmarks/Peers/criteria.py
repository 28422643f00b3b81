"""What must hold: Auricle lowest in every measure, or the reason and the next step in the document.

The document says it in a table whose rows begin with the measure and the peers, comma-separated; a row with an empty reason or next
step does not count.
"""

OURS = "Auricle"
# What must be judged; the others are told all the same.
MUSTS = ("CPU per band", "live CPU per band", "round trip")
MEASURES = {
    "CPU per band": "per_band", "live CPU per band": "live_per_band", "round trip": "delay", "delay beyond a bare loop": "beyond",
    "CPU": "cpu", "live CPU": "live_cpu", "live memory": "live_memory", "gain error": "rms",
}


def lost(rows):
    """(measure, peer, ours, theirs) wherever a peer has less than ours; chains that do not compress do another task."""
    ours = next((row for row in rows if row["name"] == OURS), {})
    result = []
    for measure, key in MEASURES.items():
        if ours.get(key) is None:
            continue
        for row in rows:
            theirs = row.get(key)
            if not row["ours"] and row["compresses"] and theirs is not None and theirs < ours[key]:
                result.append((measure, row["name"], ours[key], theirs))
    return result


def explained(document):
    """Pairs of measure and peer that the document gives a reason and a next step for."""
    result = set()
    for line in document.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 4 and cells[0] in MEASURES and cells[2] and cells[3]:
            result |= {(cells[0], peer.strip()) for peer in cells[1].split(",")}
    return result


def checks(rows, document):
    """{"measure", "peer", "ours", "theirs", "explained"} for each loss."""
    known = explained(document)
    return [{"measure": measure, "peer": peer, "ours": ours, "theirs": theirs, "explained": (measure, peer) in known}
            for measure, peer, ours, theirs in lost(rows)]


def unmeasured(rows):
    """Measures that nothing can be said of, because ours or every peer's is missing."""
    result = []
    for measure, key in MEASURES.items():
        ours = any(row["ours"] and row.get(key) is not None for row in rows)
        theirs = any(not row["ours"] and row.get(key) is not None for row in rows)
        if not (ours and theirs):
            result.append(measure)
    return result
