/* DejaVu Sans as data of the program: texts in images are the same on every machine. */
        .section .rodata
        .global tenonFontBegin
        .global tenonFontEnd
        .balign 16
tenonFontBegin:
        .incbin TENON_FONT_FILE
tenonFontEnd:
        .byte 0
        .section .note.GNU-stack, "", %progbits
