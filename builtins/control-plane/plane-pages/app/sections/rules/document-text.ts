// Formats a document for display. Pure.

export const documentText = (document: unknown): string => JSON.stringify(document, null, 2);
