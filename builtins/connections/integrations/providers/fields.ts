// Defines arguments that many operations share.
import * as Type from 'typebox';

export const strict = { additionalProperties: false } as const;
export const text = (description: string, maxLength = 2_000) => Type.String({ minLength: 1, maxLength, description });
export const maybe = (description: string, maxLength = 2_000) => Type.Optional(text(description, maxLength));
export const count = (maximum: number, description = 'Maximum results.') => Type.Optional(Type.Integer({ minimum: 1, maximum, description }));
export const moment = (description: string) => Type.String({ maxLength: 40, description: `${description} ISO 8601 with a zone.` });

/** To, subject and plain text. */
export const mail = Type.Object({ to: text('Addresses, separated by commas.'), subject: text('Subject.', 500), body: text('Plain text.', 100_000) }, strict);
