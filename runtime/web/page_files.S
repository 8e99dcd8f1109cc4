/* The files of the page as data of the program: a page is written without any file beside the program. */
        .section .rodata

        .macro embed symbol, folder, name
        .global \symbol\()Begin
        .global \symbol\()End
\symbol\()Begin:
        .incbin "\folder\name"
\symbol\()End:
        .byte 0
        .endm

        embed tenonPageHtml, TENON_PAGE, "/page.html"
        embed tenonPageStyle, TENON_PAGE, "/style.css"
        embed tenonPageDecode, TENON_PAGE, "/decode.js"
        embed tenonPageMeshes, TENON_PAGE, "/meshes.js"
        embed tenonPageSection, TENON_PAGE, "/section.js"
        embed tenonPageArrows, TENON_PAGE, "/arrows.js"
        embed tenonPageView, TENON_PAGE, "/view.js"
        embed tenonPageChart, TENON_PAGE, "/chart.js"
        embed tenonPagePanels, TENON_PAGE, "/panels.js"
        embed tenonPageTimeline, TENON_PAGE, "/timeline.js"
        embed tenonPageSectionPanel, TENON_PAGE, "/section_panel.js"
        embed tenonPageViewer, TENON_PAGE, "/viewer.js"
        embed tenonPageEmbedded, TENON_PAGE, "/embedded.js"
        embed tenonPageLive, TENON_PAGE, "/live.js"
        embed tenonPagePointing, TENON_PAGE, "/pointing.js"
        embed tenonPageStudy, TENON_PAGE, "/study.js"
        embed tenonPageStart, TENON_PAGE, "/start.js"
        embed tenonPageStartHtml, TENON_PAGE, "/start.html"
        embed tenonThree, TENON_THREE_JS, ""
        embed tenonOrbit, TENON_ORBIT_CONTROLS_JS, ""
        .section .note.GNU-stack, "", %progbits
