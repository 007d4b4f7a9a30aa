// Creates common schemas for several plugins.
import * as Type from 'typebox';

/** Creates a schema for a string that must be one of these values. TypeBox's own `Type.String({ enum })` has the type `string`. */
export function oneOf<const T extends string>(values: readonly T[], options: Type.TSchemaOptions = {}): Type.TUnsafe<T> {
  return Type.Unsafe<T>(Type.String({ ...options, enum: [...values] }));
}
