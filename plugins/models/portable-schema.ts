// Stub until the file is merged.
export const portableSchema = (input: object): object => input;
