"""A terminal's screen as a PNG, by Cairo: to be looked at by a person. Colours are those of escape sequences 30 to 37 and 1, 2.

    draw(lines, columns, rows, "screen.png")      lines with their escape sequences
"""
import ctypes
import re

SIZE = 14.0
WIDTH, HEIGHT = 8.43, 17.0
COLOURS = {31: (0.87, 0.2, 0.2), 32: (0.2, 0.7, 0.3), 33: (0.8, 0.6, 0.1), 34: (0.35, 0.55, 1.0), 36: (0.2, 0.7, 0.7)}


def draw(lines, columns, rows, path):
    cairo = ctypes.CDLL("libcairo.so.2")
    number = ctypes.c_double
    for name in ["cairo_image_surface_create", "cairo_create"]:
        getattr(cairo, name).restype = ctypes.c_void_p
    surface = cairo.cairo_image_surface_create(1, int(columns * WIDTH) + 8, int(rows * HEIGHT) + 8)
    context = ctypes.c_void_p(cairo.cairo_create(ctypes.c_void_p(surface)))
    cairo.cairo_set_source_rgb(context, number(0.07), number(0.08), number(0.1))
    cairo.cairo_paint(context)
    cairo.cairo_set_font_size(context, number(SIZE))
    for row, line in enumerate(lines):
        column, colour, light, bold = 0, (0.85, 0.87, 0.9), 1.0, 0
        for part in re.split(r"(\x1b\[[0-9;?]*[A-Za-z])", line):
            if part.startswith("\x1b["):
                if part.endswith("m"):
                    for code in map(int, filter(None, part[2:-1].split(";") or ["0"])):
                        if code in (0, 39):
                            colour = (0.85, 0.87, 0.9)
                        if code in (0, 22):
                            light, bold = 1.0, 0
                        colour = COLOURS.get(code, colour)
                        light = 0.55 if code == 2 else light
                        bold = 1 if code == 1 else bold
                continue
            cairo.cairo_select_font_face(context, b"DejaVu Sans Mono", 0, bold)
            cairo.cairo_set_source_rgb(context, *(number(light * part) for part in colour))
            for character in part:
                cairo.cairo_move_to(context, number(4 + column * WIDTH), number(4 + row * HEIGHT + SIZE))
                cairo.cairo_show_text(context, character.encode())
                column += 1
    cairo.cairo_surface_write_to_png(ctypes.c_void_p(surface), path.encode())
