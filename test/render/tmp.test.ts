import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { expect, test } from "vitest";
import { richTextToMarkdown } from "../../src/render/rich-text.js";
import { frontMatter } from "../../src/render/front-matter.js";
import { readMarkdown } from "../../src/export/read-markdown.js";

const context = { storyUrl: (s: string) => s, unknown: () => {}, blocks: new Map() };
const parse = (t: string) => fromMarkdown(t, { extensions: [gfmTable(), gfmStrikethrough()], mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown()] });
const text = (n: any): string => ("value" in n ? (n.type === "html" ? "" : n.value) : (n.children ?? []).map(text).join(""));
const nasty = fc.array(fc.oneof(fc.constantFrom("*","_","`","~","|","<","[","]","(",")","#","-","+","!","&","\\","\n","\r"," ","\t","1.","a","b","&amp;","<div>","<!--","---","===","http://x.y","://","www.a.b","a@b.c",":",">","$","{","}","%","\u2028","\u00a0","\u000b","\u000c","\u0085","\u0000","\ud800","é","😀","\ufeff"), fc.string()), {maxLength: 12}).map(a => a.join(""));
const norm = (s: string) => s.replace(/\r\n?|[\v\f\u0085]/g,"\n").replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
test("para", () => {
  fc.assert(fc.property(nasty, (s) => {
    const md = richTextToMarkdown({ type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: s }] }] }, context);
    expect(text(parse(md))).toBe(norm(s));
  }), { numRuns: 20000 });
});
const marks = fc.subarray(["bold","italic","strike","underline","code","link","superscript","highlight","textStyle"]).map(m => m.map(type => type === "link" ? { type, attrs: { href: "https://e.x/a?b|c", linktype: "url" } } : type === "textStyle" ? {type, attrs:{color:"red|\n"}} : type==="highlight"?{type,attrs:{color:"#fff"}}:{ type }));
const inline = fc.array(fc.record({ type: fc.constant("text"), text: nasty, marks }), { maxLength: 5 });
const plain = (nodes: any[]) => nodes.map(n => n.marks.some((m: any) => m.type === "code") ? norm(n.text).replace(/\n/g, " ") : norm(n.text)).join("");
test("marks in heading, list, quote, table, paragraph", () => {
  fc.assert(fc.property(inline, fc.constantFrom("paragraph","heading","list","quote","table","head3"), (nodes, kind) => {
    const p = { type: "paragraph", content: nodes };
    const block = kind === "paragraph" ? p : kind === "heading" ? { type: "heading", attrs: { level: 2 }, content: nodes } : kind === "head3" ? { type: "heading", attrs: { level: 3 }, content: nodes } : kind === "list" ? { type: "bullet_list", content: [{ type: "list_item", content: [p] }] } : kind === "quote" ? { type: "blockquote", content: [p] } : { type: "table", content: [{ type: "tableRow", content: [{ type: "tableHeader", content: [p] }] }] };
    const md = richTextToMarkdown({ type: "doc", content: [block] }, context);
    expect(text(parse(md))).toBe(plain(nodes));
  }), { numRuns: 20000 });
});
test("fm", () => {
  fc.assert(fc.property(fc.dictionary(fc.oneof(nasty, fc.constantFrom("__proto__","constructor","<<","yes","a")), fc.oneof(fc.jsonValue(), nasty, fc.object()), {minKeys: 1}), nasty, (d, body) => {
    const data = JSON.parse(JSON.stringify(d));
    const b = norm(body);
    const file = readMarkdown(frontMatter(Object.entries(data)) + b);
    expect(JSON.stringify(file.data)).toBe(JSON.stringify(data));
    expect(file.body).toBe(b);
  }), { numRuns: 3000 });
});
