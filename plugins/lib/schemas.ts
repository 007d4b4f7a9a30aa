// Creates schemas that several plugins use.
import * as Type from 'typebox';

/** A text that is one of these values. The type of TypeBox's own `Type.String({ enum })` is `string`. */
export function oneOf<const T extends string>(values: readonly T[], options: Type.TSchemaOptions = {}): Type.TUnsafe<T> {
  return Type.Unsafe<T>(Type.String({ ...options, enum: [...values] }));
}
