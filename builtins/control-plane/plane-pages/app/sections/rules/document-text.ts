// A document as people read it. Pure.

export const documentText = (document: unknown): string => JSON.stringify(document, null, 2);
