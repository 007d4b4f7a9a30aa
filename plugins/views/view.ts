// Exports views for clients: types, and rendering as lines and as Markdown. A pure library for Node and browsers.
export type { Block, BlockKind, Cell, CellKind, InputField, RowState, View, ViewAction, ViewInput, ViewValues } from './view-schema.ts';
export { partWords, readCall, wordsOf, type ViewCall } from './view-call.ts';
export { textOfLine, viewParts, viewText, type Line, type LineOptions, type Look, type Part, type Run } from './view-lines.ts';
export { escapeMarkdown, viewMarkdown } from './view-markdown.ts';
export { actionsOf, actionsOfRow, headOf, quoteWord, rowsOf, stateTexts, usageOfFields, valueText, type DescribedAction as ToldAction } from './view-texts.ts';
