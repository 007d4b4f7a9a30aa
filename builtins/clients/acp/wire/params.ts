// Defines the schemas that validate each request before it is processed.
import * as Type from 'typebox';
import type * as Acp from '@agentclientprotocol/sdk';
import { lateAjv } from '#lib/late-ajv';
import { WireError, wireCodes } from './wire-error.ts';

const sessionId = Type.String({ minLength: 1, maxLength: 200 });
const text = Type.String();
const optional = Type.Optional;
/** Absolute path on any operating system; the server checks that it exists. */
const folder = Type.String({ pattern: '^(?:/|[A-Za-z]:[\\\\/]|\\\\\\\\)', maxLength: 4_096 });
const nullable = <T extends Type.TSchema>(schema: T) => optional(Type.Union([schema, Type.Null()]));
const named = Type.Array(Type.Object({ name: text, value: text }));
const mcpServers = Type.Array(
  Type.Union([
    Type.Object({ type: Type.Union([Type.Literal('http'), Type.Literal('sse')]), name: text, url: text, headers: nullable(named) }),
    Type.Object({ name: text, command: text, args: nullable(Type.Array(text)), env: nullable(named) }),
  ]),
  { maxItems: 100 },
);
const folders = nullable(Type.Array(folder, { maxItems: 100 }));
const resource = Type.Object({ uri: text, mimeType: nullable(text), text: optional(text), blob: optional(text) });
const block = Type.Union([
  Type.Object({ type: Type.Literal('text'), text }),
  Type.Object({ type: Type.Literal('image'), data: text, mimeType: text, uri: nullable(text) }),
  Type.Object({ type: Type.Literal('audio'), data: text, mimeType: text }),
  Type.Object({ type: Type.Literal('resource_link'), uri: text, name: text, mimeType: nullable(text) }),
  Type.Object({ type: Type.Literal('resource'), resource }),
]);
const inSession = Type.Object({ sessionId });

const schemas = {
  authenticate: Type.Object({ methodId: text }),
  logout: Type.Object({}),
  'session/new': Type.Object({ cwd: folder, mcpServers: nullable(mcpServers), additionalDirectories: folders }),
  'session/load': Type.Object({ sessionId, cwd: folder, mcpServers: nullable(mcpServers), additionalDirectories: folders }),
  'session/resume': Type.Object({ sessionId, cwd: folder, mcpServers: nullable(mcpServers), additionalDirectories: folders }),
  'session/list': Type.Object({ cwd: nullable(folder), cursor: nullable(text) }),
  'session/close': inSession,
  'session/delete': inSession,
  'session/prompt': Type.Object({ sessionId, prompt: Type.Array(block, { minItems: 1, maxItems: 1_000 }) }),
  'session/set_mode': Type.Object({ sessionId, modeId: text }),
  'session/set_config_option': Type.Object({ sessionId, configId: text, value: Type.Union([text, Type.Boolean()]) }),
  'session/set_model': Type.Object({ sessionId, modelId: text }),
  'session/cancel': inSession,
} as const;

export interface ParamsOf {
  authenticate: Acp.AuthenticateRequest;
  logout: Acp.LogoutRequest;
  'session/new': Acp.NewSessionRequest;
  'session/load': Acp.LoadSessionRequest;
  'session/resume': Acp.ResumeSessionRequest;
  'session/list': Acp.ListSessionsRequest;
  'session/close': Acp.CloseSessionRequest;
  'session/delete': Acp.DeleteSessionRequest;
  'session/prompt': Acp.PromptRequest;
  'session/set_mode': Acp.SetSessionModeRequest;
  'session/set_config_option': Acp.SetSessionConfigOptionRequest;
  /** From an earlier draft of the protocol; some editors still send it. */
  'session/set_model': { readonly sessionId: string; readonly modelId: string };
  'session/cancel': Acp.CancelNotification;
}
export type CheckedMethod = keyof ParamsOf;
export type ParamsCheck = <M extends CheckedMethod>(method: M, params: unknown) => ParamsOf[M];

/** Returns a check that rejects invalid parameters with `invalid params` and the name of the invalid parameter. */
export function createParamsCheck(): ParamsCheck {
  const { Ajv2020 } = lateAjv();
  const ajv = new Ajv2020({ strict: false });
  const checks = new Map<CheckedMethod, ReturnType<typeof ajv.compile>>();
  return <M extends CheckedMethod>(method: M, params: unknown = {}) => {
    let check = checks.get(method);
    if (!check) checks.set(method, (check = ajv.compile(schemas[method])));
    if (check(params)) return params as ParamsOf[M];
    const [fault] = check.errors ?? [];
    const where = fault?.instancePath ? `params${fault.instancePath}` : 'params';
    throw new WireError(wireCodes.invalidParams, `${method}: ${where} ${fault?.message ?? 'do not fit'}.`, { path: fault?.instancePath, rule: fault?.keyword });
  };
}
