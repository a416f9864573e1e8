/** System fonts, light and dark, 360 to 1400 px. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d2126; --soft: #59616b; --line: #dcd9d2; --link: #0b57a4; --mark: #efece5;
  --good: #0f6b3c; --good-back: #e0f2e6; --bad: #a3212d; --bad-back: #fbe5e6; --warn: #7a4b00; --warn-back: #fbf0d9; --move: #5a3d9a; --bar: #4d7fb5;
  --space: 1rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181b; --card: #1e2125; --ink: #e8e6e1; --soft: #a4acb6; --line: #363b41; --link: #8cbdf2; --mark: #2a2e33;
    --good: #7fd6a3; --good-back: #16341f; --bad: #ff9aa2; --bad-back: #43191d; --warn: #f0c674; --warn-back: #3a2d10; --move: #c3adf5; --bar: #6ea3dc;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; }
body { margin: 0; }
main, .top, footer { max-width: 84rem; margin: 0 auto; padding: 0 var(--space); }
main { padding-top: 1.25rem; padding-bottom: 3rem; min-height: 60vh; }
main:focus { outline: none; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .25rem 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 .75rem; }
h1, h2, b, .name { letter-spacing: -.005em; }
p { margin: .5rem 0 1rem; }
a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: from-font; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em; }
code { overflow-wrap: anywhere; }
pre { margin: .25rem 0; padding: .75rem; background: var(--mark); border-radius: 6px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 40rem; }
.quiet, small, .count { color: var(--soft); }
.quiet { font-size: .9rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--card); z-index: 5; }
.skip:focus { left: .5rem; top: .5rem; }
.top { display: grid; grid-template-columns: 1fr; gap: .6rem; padding-top: .9rem; padding-bottom: .6rem; border-bottom: 1px solid var(--line); }
.brand { color: inherit; text-decoration: none; font-size: 1.05rem; overflow-wrap: anywhere; }
.brand span { color: var(--soft); }
nav ul, .chips, .tiles, .gallery, .differences, .paragraphs, .crumbs ol { list-style: none; margin: 0; padding: 0; }
.top nav ul { display: flex; flex-wrap: wrap; gap: .1rem .35rem; }
.top nav a { display: block; padding: .25rem .5rem; margin-left: -.15rem; color: inherit; text-decoration: none; border-radius: 6px; }
.top nav a:hover { background: var(--mark); }
.top nav [aria-current] { background: var(--mark); font-weight: 600; box-shadow: inset 0 -2px var(--link); border-radius: 6px 6px 0 0; }
.search form { position: relative; display: flex; gap: .4rem; }
.search input { flex: 1; min-width: 0; }
#found { position: absolute; top: 100%; left: 0; right: 0; z-index: 4; margin: .3rem 0 0; padding: .3rem; list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 8px 24px rgb(0 0 0 / .18); }
#found a { display: block; padding: .35rem .5rem; color: inherit; text-decoration: none; border-radius: 5px; overflow-wrap: anywhere; }
#found a:hover, #found a:focus { background: var(--mark); }
input, select, button { font: inherit; color: inherit; padding: .35rem .6rem; background: var(--card); border: 1px solid var(--soft); border-radius: 6px; max-width: 100%; }
button { cursor: pointer; background: var(--mark); }
.line { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: .5rem 0 1rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.25rem, 1fr)); gap: .75rem; margin: 1rem 0; }
.tiles li { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .75rem .9rem; }
.tiles b { display: block; font-size: 1.3rem; white-space: nowrap; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tiles span { color: var(--soft); font-size: .9rem; }
.tiles a { color: inherit; text-decoration: none; display: block; }
.tiles a:hover span { text-decoration: underline; }
.facts { margin: 0 0 1rem; display: grid; gap: .3rem 1.5rem; grid-template-columns: repeat(auto-fill, minmax(min(21rem, 100%), 1fr)); }
.facts div { display: flex; gap: .6rem; min-width: 0; }
.facts dt { color: var(--soft); flex: 0 0 6.5rem; }
.facts dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.table { overflow-x: auto; margin: .5rem 0 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
table { border-collapse: collapse; width: 100%; font-size: .95rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: .6rem .75rem; color: var(--soft); font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem; border-top: 1px solid var(--line); }
th { font-weight: 600; white-space: nowrap; font-size: .875rem; }
td { overflow-wrap: break-word; }
td:has(> code) { min-width: 13rem; } td:has(> time), td:has(> .line-1) { white-space: nowrap; }
.charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); }
.chart { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .75rem .9rem; }
.chart figcaption { display: flex; justify-content: space-between; gap: 1rem; margin-bottom: .4rem; }
.chart svg { display: block; width: 100%; height: 5.5rem; }
.chart rect { fill: var(--bar); } .chart .axis { stroke: var(--line); stroke-width: 1; }
.crumbs ol { display: flex; flex-wrap: wrap; gap: .2rem .5rem; margin-bottom: .5rem; }
.crumbs li + li::before { content: "/"; color: var(--soft); margin-right: .5rem; }
.chips { display: flex; flex-wrap: wrap; gap: .4rem .6rem; margin: .5rem 0 1rem; }
.chips > li { background: var(--mark); padding: .15rem .6rem; border-radius: 1rem; overflow-wrap: anywhere; }
nav.chips { display: block; margin: 0; }
.browse { display: grid; gap: 1.5rem; }
.browse > div { min-width: 0; }
.facets { display: grid; gap: .5rem; align-content: start; }
.facets summary { font-weight: 600; cursor: pointer; padding: .2rem 0; }
.facets ul { list-style: none; margin: .2rem 0 .5rem; padding: 0; max-height: 18rem; overflow: auto; }
.facets a { display: flex; justify-content: space-between; gap: .75rem; padding: .18rem .5rem; color: inherit; text-decoration: none; border-radius: 5px; overflow-wrap: anywhere; }
.facets a:hover { background: var(--mark); }
.facets [aria-current] { background: var(--mark); font-weight: 600; }
.pager { display: flex; justify-content: space-between; gap: 1rem; margin: 1rem 0; }
.fields { margin: 0; }
.fields > div { padding: .6rem 0; border-top: 1px solid var(--line); }
.fields dt { color: var(--soft); font-size: .875rem; overflow-wrap: anywhere; }
.fields dd { margin: .15rem 0 0; min-width: 0; overflow-wrap: anywhere; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; max-width: 75ch; }
.blocks { list-style: none; margin: .3rem 0 0; padding: 0; display: grid; gap: .6rem; }
.blocks details { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .2rem .9rem .4rem; }
.blocks summary { font-weight: 600; padding: .35rem 0; cursor: pointer; overflow-wrap: anywhere; }
.rich { max-width: 75ch; }
.rich h4, .rich h5, .rich h6 { font-size: 1.05rem; margin: 1rem 0 .3rem; }
.rich blockquote { margin: .75rem 0; padding-left: 1rem; border-left: 3px solid var(--line); }
.rich img, figure img { max-width: 100%; height: auto; display: block; border-radius: 6px; }
.rich table { display: block; overflow-x: auto; }
figure { margin: .3rem 0; max-width: 32rem; }
figure.large { max-width: 48rem; }
figure.large img { max-height: 32rem; background: var(--mark); }
figcaption { font-size: .9rem; color: var(--soft); margin-top: .3rem; overflow-wrap: anywhere; }
.picture { position: relative; display: inline-block; max-width: 100%; background: var(--mark); border-radius: 6px; }
.picture img { max-height: 20rem; width: auto; }
.focus { position: absolute; inset: 0; width: 100%; height: 100%; }
.focus circle { fill: none; stroke: #ff3b6b; }
.gallery { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 100%), 1fr)); }
.gallery li { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .6rem; min-width: 0; }
.gallery img, .no-picture { display: flex; width: 100%; height: 8rem; object-fit: contain; background: var(--mark); border-radius: 6px; align-items: center; justify-content: center; text-align: center; color: var(--soft); font-size: .85rem; padding: .25rem; overflow-wrap: anywhere; }
.gallery .name { display: block; margin-top: .4rem; overflow-wrap: anywhere; }
.problem { color: var(--bad); } .notice { background: var(--warn-back); color: var(--warn); padding: .6rem .9rem; border-radius: 8px; }
.notice a { color: inherit; }
.level { font-size: .85rem; padding: .05rem .45rem; border-radius: 1rem; background: var(--mark); } .level.error { color: var(--bad); } .level.warning { color: var(--warn); background: var(--warn-back); }
.problems li { margin-bottom: 1rem; overflow-wrap: anywhere; } .problems p { margin: .1rem 0; }
.differences { display: grid; gap: .75rem; }
.differences > li { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--soft); border-radius: 8px; padding: .6rem .9rem; min-width: 0; }
.differences > .added { border-left-color: var(--good); } .differences > .removed { border-left-color: var(--bad); } .differences > .moved { border-left-color: var(--move); }
.differences p { margin: .2rem 0; overflow-wrap: anywhere; } .path { font-size: .9rem; color: var(--soft); } .path b { color: var(--ink); }
.paragraphs > li { margin: .3rem 0; }
.words { white-space: pre-wrap; overflow-wrap: anywhere; }
ins { background: var(--good-back); color: var(--good); text-decoration: underline; text-underline-offset: .15em; }
del { background: var(--bad-back); color: var(--bad); text-decoration: line-through; }
pre ins, pre del { background: none; text-decoration: none; } .gone { background: var(--bad-back); } .came { background: var(--good-back); }
.mark { padding: .05rem .5rem; border-radius: 1rem; font-size: .85rem; background: var(--mark); white-space: nowrap; }
.mark.added { background: var(--good-back); color: var(--good); } .mark.removed { background: var(--bad-back); color: var(--bad); } .mark.moved { color: var(--move); } .mark.changed { background: var(--warn-back); color: var(--warn); }
meter { width: 6rem; vertical-align: middle; }
footer { border-top: 1px solid var(--line); padding-top: .75rem; padding-bottom: 2rem; color: var(--soft); font-size: .9rem; }
footer a { color: inherit; }
@media (max-width: 47.99rem) {
  .facets ul { display: flex; flex-wrap: wrap; gap: .25rem; max-height: 6.6rem; }
  .facets a { background: var(--mark); }
  .facets { border-bottom: 1px solid var(--line); padding-bottom: .5rem; }
}
@media (min-width: 48rem) {
  .top { grid-template-columns: auto minmax(14rem, 24rem); justify-content: space-between; align-items: center; }
  .top nav { grid-column: 1 / -1; }
  .browse { grid-template-columns: 15rem minmax(0, 1fr); }
  .fields > div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 1rem; }
  .fields dd { margin: 0; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print { .top, footer, .line, .pager { display: none; } }
`;
