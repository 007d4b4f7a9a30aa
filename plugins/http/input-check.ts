// Checks what a request carries against its route's schemas. Loaded at the first such request.
import { messageOf } from 'agent-harness/lib/errors';
import { createSchemaCompiler } from 'agent-harness/lib/foreign-schema';
import type { ErrorObject, Options } from 'ajv';
import type { LimitedPatterns } from 'agent-harness/plugins/patterns';

export type Place = 'params' | 'query' | 'body';

export interface Finding {
  /** JSON pointer into the place. */
  readonly pointer: string;
  readonly rule: string;
  /** A sentence. */
  readonly why: string;
}

export interface CheckInput {
  /**
   * Fills in defaults, in place. Answers what is wrong, if anything.
   * @param isText all values are text, so that text becomes numbers where the schema wants these
   */
  check(place: Place, schema: object, value: unknown, isText: boolean): Finding | undefined;
  /** Makes the checks that the first request would make. */
  compile(schemas: { readonly [P in Place]?: object }): void;
}

const places: readonly Place[] = ['params', 'query', 'body'];

const shared: Options = {
  useDefaults: true,
  allErrors: false,
};

/** @param regExp for the patterns of schemas */
export function createInputCheck(regExp: LimitedPatterns): CheckInput {
  const code = { regExp };
  // URLs and forms hold nothing but text; JSON has types of its own.
  const ofText = createSchemaCompiler({ ...shared, code, coerceTypes: 'array' });
  const ofJson = createSchemaCompiler({ ...shared, code });
  return {
    check(place, schema, value, isText) {
      const validate = (isText ? ofText : ofJson)(schema);
      try {
        if (validate(value)) return undefined;
      } catch (fault) {
        return { pointer: '', rule: 'pattern', why: `${place} cannot be checked: ${messageOf(fault)}` };
      }
      // Where none of several shapes fits, the last error says so, and those before it say why each does not.
      const errors = validate.errors ?? [];
      const error = errors.at(-1);
      return error ? describe(place, error, choicesOf(error, errors)) : undefined;
    },
    compile(schemas) {
      for (const place of places) if (schemas[place]) (place === 'body' ? ofJson : ofText)(schemas[place]);
    },
  };
}

/** What a field may be where its shapes are nothing but values. */
function choicesOf({ keyword, params, schemaPath }: ErrorObject, errors: readonly ErrorObject[]): readonly unknown[] {
  if (keyword === 'enum') return (params as { allowedValues: readonly unknown[] }).allowedValues;
  const ofBranches = keyword === 'anyOf' ? errors.filter((one) => one.schemaPath.startsWith(`${schemaPath}/`)) : [];
  const choices = ofBranches.map(({ keyword: rule, params: { allowedValue, type } }: ErrorObject<string, { allowedValue?: unknown; type?: unknown }>) =>
    rule === 'type' && type === 'null' ? null : rule === 'const' ? allowedValue : undefined,
  );
  return choices.includes(undefined) ? [] : choices;
}

function describe(place: Place, { instancePath, keyword, message, params }: ErrorObject, choices: readonly unknown[]): Finding {
  const details = params as Readonly<Record<string, unknown>>;
  const field = details['additionalProperty'] ?? details['missingProperty'];
  const pointer = typeof field === 'string' ? `${instancePath}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}` : instancePath;
  const faults: Readonly<Record<string, string>> = { additionalProperties: 'is not a field here', required: 'is missing' };
  const expected = choices.length > 0 ? `must be one of: ${choices.map(String).join(', ')}` : (message ?? 'is not valid');
  return { pointer, rule: keyword, why: `${place}${pointer} ${faults[keyword] ?? expected}.` };
}
