// The schemas of the events of a chat, and the parser of journal lines. A library of the server: schemas need TypeBox.
export { decisionNames, eventSchemas, previewSchema, rehearsalSchema, type EventFields, type EventKind } from './events.ts';
export { entrySchema, runningSchema } from './entry-schemas.ts';
export { isEventId, parseEvent } from './parse-event.ts';
