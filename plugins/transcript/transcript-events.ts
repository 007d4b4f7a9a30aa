// Exports the schemas of chat events and the parser of journal lines. A library for servers, because schemas need TypeBox.
export { decisionNames, eventSchemas, previewSchema, rehearsalSchema, type EventFields, type EventKind } from './events.ts';
export { entrySchema, runningSchema } from './entry-schemas.ts';
export { isEventId, parseEvent } from './parse-event.ts';
