import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Colours are those of the page, which know light and dark by themselves. */
export const editorTheme: readonly Extension[] = [
  EditorView.theme({
    "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--card)", fontSize: "13.5px" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
    ".cm-content": { caretColor: "var(--ink)", paddingBlock: "0.6rem" },
    ".cm-cursor": { borderLeftColor: "var(--ink)" },
    ".cm-gutters": {
      color: "var(--soft)",
      backgroundColor: "var(--card)",
      borderRight: "1px solid var(--line)",
    },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--wash)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
      background: "var(--selection)",
    },
    ".cm-selectionMatch": { backgroundColor: "var(--wash)" },
    ".cm-foldPlaceholder": {
      color: "var(--soft)",
      background: "var(--wash)",
      border: "none",
      padding: "0 0.4em",
    },
    ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--ground)" },
    ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
    ".cm-textfield, .cm-button": {
      color: "var(--ink)",
      background: "var(--card)",
      border: "1px solid var(--line)",
      borderRadius: "5px",
    },
    ".cm-tooltip": {
      color: "var(--ink)",
      backgroundColor: "var(--card)",
      border: "1px solid var(--line)",
      borderRadius: "8px",
      boxShadow: "0 4px 18px #0003",
      maxWidth: "min(34rem, 90vw)",
      overflow: "hidden",
      fontFamily: "system-ui, sans-serif",
    },
    ".cm-diagnostic": { padding: "0.45rem 0.8rem", borderLeftWidth: "4px" },
    ".cm-diagnostic-error": { borderLeftColor: "var(--error)" },
    ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
    ".cm-diagnostic-info": { borderLeftColor: "var(--link)" },
    ".cm-lintRange": { backgroundImage: "none", paddingBottom: "1px", textUnderlineOffset: "3px" },
    ".cm-lintRange-error": { textDecoration: "underline wavy var(--error) 1.5px" },
    ".cm-lintRange-warning": { textDecoration: "underline wavy var(--warning) 1.5px" },
    ".cm-lintRange-info": { textDecoration: "underline dotted var(--link) 1.5px" },
    ".cm-lintRange-active": { backgroundColor: "var(--wash)" },
    ".cm-diagnosticAction": {
      display: "block",
      margin: "0.35rem 0 0.15rem",
      padding: "0.15rem 0.6rem",
      color: "var(--ink)",
      background: "var(--wash)",
      border: "1px solid var(--line)",
      borderRadius: "5px",
      fontSize: "inherit",
    },
    ".hint": { color: "var(--soft)" },
    ".rule": { fontFamily: "var(--mono)", fontSize: "0.85em", color: "var(--soft)" },
    ".rule a": { color: "var(--link)" },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.propertyName, color: "var(--code-key)" },
      { tag: [tags.string, tags.special(tags.string)], color: "var(--code-text)" },
      { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
      { tag: [tags.keyword, tags.meta, tags.typeName, tags.labelName], color: "var(--code-tag)" },
      { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: "var(--soft)" },
    ]),
  ),
];
