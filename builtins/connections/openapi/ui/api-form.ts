// Defines the form fields for connecting an API, and builds the request from them. Pure.
import type { RequestBody } from 'agent-harness/client';

export type ApiDocument = RequestBody<'POST /api/integrations/openapi'>;
type ApiAuth = Exclude<NonNullable<ApiDocument['auth']>, readonly unknown[]>;

export interface ApiForm {
  readonly name: string;
  readonly from: 'address' | 'text';
  readonly specUrl: string;
  readonly spec: string;
  readonly baseUrl: string;
  readonly sign: 'none' | 'bearer' | 'header' | 'query' | 'cookie' | 'basic';
  /** Name of the header or field; the user name for `basic`. */
  readonly signName: string;
  readonly secret: string;
}

export const emptyApiForm: ApiForm = { name: '', from: 'address', specUrl: '', spec: '', baseUrl: '', sign: 'none', signName: '', secret: '' };

export function apiDocumentOf(form: ApiForm): ApiDocument {
  const { name, from, specUrl, spec, baseUrl } = form;
  const auth = apiAuthOf(form);
  return {
    name,
    ...(from === 'address' ? { specUrl: specUrl.trim() } : { spec }),
    ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
    ...(auth === undefined ? {} : { auth }),
  };
}

function apiAuthOf({ sign, signName, secret }: ApiForm): ApiAuth | undefined {
  if (sign === 'none') return undefined;
  if (sign === 'bearer') return { kind: sign, token: secret };
  if (sign === 'basic') return { kind: sign, user: signName, password: secret };
  return { kind: sign, name: signName.trim(), value: secret };
}
