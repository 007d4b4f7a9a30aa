// Formats a document as text. Pure.

export const documentText = (document: unknown): string => JSON.stringify(document, null, 2);
