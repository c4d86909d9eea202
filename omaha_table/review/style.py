"""How a report looks, on a screen and on paper, with color and without.

The page has no size of its own: it fits Letter and A4.
"""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root{font:13px/1.4 system-ui,"Segoe UI","Helvetica Neue",Arial,"DejaVu Sans",sans-serif;color:#111;
 background:#fff;font-variant-numeric:tabular-nums lining-nums}
body{margin:32px auto;max-width:960px;padding:0 20px}
h1{font-size:22px;line-height:1.2;font-weight:650;letter-spacing:-.01em;margin:0 0 12px;
 padding-bottom:8px;border-bottom:3px solid #111}
h2{font-size:11px;font-weight:650;text-transform:uppercase;letter-spacing:.06em;margin:22px 0 4px;
 break-after:avoid}
dl{margin:0 0 10px;display:grid;gap:8px 18px}dt{font-size:10.5px;color:#555}
dd{margin:0;font-weight:600}
.facts{grid-template-columns:repeat(auto-fill,minmax(165px,1fr))}
.keys{grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:10px}
.keys div{border:1.5px solid #111;padding:5px 10px}.keys dd{font-size:19px;font-weight:700}
table{border-collapse:collapse;font-size:12px}
th{font-weight:600;font-size:10.5px;color:#555;text-align:left;border-bottom:1.5px solid #111}
td{border-bottom:1px solid #ddd}th,td{padding:2.5px 22px 2.5px 0;vertical-align:top}
th:last-child,td:last-child{padding-right:0}
.n{text-align:right;white-space:nowrap}.strong td{border-top:1.5px solid #111;font-weight:650}
code{font:10.5px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;word-break:break-all}
.narrow{display:inline-block;vertical-align:top;margin-right:56px}
td:first-child{white-space:nowrap}
.warning{border:3px double #111;padding:5px 10px;margin:0 0 10px;font-weight:650}
.none{margin:0;color:#555}.cards{white-space:nowrap}
.cards b{margin-right:.35em;font-weight:650}
.red{color:#b3001b}
.plots{display:grid;grid-template-columns:repeat(3,1fr);gap:0 28px;break-inside:avoid}
figure{margin:0}svg{width:100%;height:auto;display:block}svg text{font-size:9px;fill:#333}
.log{list-style:none;margin:0;padding:0;columns:3;column-gap:22px;column-rule:1px solid #ddd;
 font-size:11px;line-height:1.35}
.log li{display:grid;grid-template-columns:auto 1fr auto;gap:0 .6em;break-inside:avoid}
.log time,.log i{color:#555;font-style:normal}.log i{font-size:.85em;text-align:right}
.log .strong{font-weight:650;border-top:1px solid #111}
.log .strong time{color:#111}.log s{text-decoration:line-through;color:#555}
.signed{display:grid;grid-template-columns:1fr 1fr;gap:0 60px;margin-top:64px;break-inside:avoid}
.signed p{border-top:1px solid #111;margin:0;padding-top:3px;font-size:11px}
@media(max-width:640px){.plots,.signed{grid-template-columns:1fr}.log{columns:1}
 table{display:block;overflow-x:auto;white-space:nowrap}}
@page{margin:13mm 12mm 14mm;@bottom-right{content:counter(page) " / " counter(pages);
 font:8pt system-ui,sans-serif}}
@media print{:root{font-size:9.5pt;line-height:1.3}body{margin:0;max-width:none;padding:0}
 h1{font-size:15pt;margin-bottom:7pt;padding-bottom:4pt;border-bottom-width:2pt}
 h2{font-size:7.5pt;margin:11pt 0 2pt}dl{gap:4pt 10pt;margin-bottom:7pt}
 .facts{grid-template-columns:repeat(4,auto)}.keys{grid-template-columns:repeat(4,1fr);padding-right:1pt}
 dt,th{font-size:7.5pt}dd{font-size:8.5pt}.keys dd{font-size:13pt}
 table{font-size:8pt}th,td{padding-top:1pt;padding-bottom:1pt;padding-right:14pt}
 td{border-bottom-color:#bbb}tr{break-inside:avoid}thead{display:table-header-group}
 code{font-size:7pt}.sheet h1{margin-bottom:4pt}.sheet h2{margin-top:6pt}
 .sheet table{font-size:7pt}.sheet th{font-size:6.5pt}
 .sheet th,.sheet td{padding:.5pt 9pt .5pt 0}.sheet code{font-size:5.8pt}
 .sheet .facts{grid-template-columns:repeat(6,auto);gap:2pt 10pt;margin-bottom:0}
 .sheet .narrow{margin-right:14pt}.sheet dd{font-size:7.5pt}.sheet dt{font-size:6.5pt}
 .log{font-size:8.5pt;line-height:1.3;column-gap:14pt}.log.few{column-gap:12pt;font-size:7.5pt;line-height:1.25}
 .log.some{columns:4;font-size:6.6pt;line-height:1.2;column-gap:9pt}
 .log.many{columns:5;font-size:5.5pt;line-height:1.15;column-gap:7pt}
 .log.full{columns:5;font-size:4.8pt;line-height:1.1;column-gap:7pt}}
"""
