// The configuration summary that a client reads first: fixed fields with defaults, filled in by taps on `config.build`.
import * as Type from 'typebox';
import type { Emitter, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/http';
import type { ConfigReply } from './contract.ts';
import type { manifest } from './manifest.ts';

const nullable = <T extends Type.TSchema>(schema: T): Type.TUnion<[T, Type.TNull]> => Type.Union([schema, Type.Null()]);

const activeChat = Type.Object({
  chatId: Type.String(),
  title: Type.String(),
  workspaceMode: Type.String(),
  workspaceRoot: Type.String(),
  workspaceFingerprint: Type.String(),
});

export const configReplySchema = Type.Object(
  {
    webAuthToken: Type.Optional(Type.String()),
    productName: Type.String(),
    version: Type.String(),
    uiVerbosity: Type.String(),
    approvalTimeoutMs: Type.Number(),
    personaBootstrapEnabled: Type.Boolean(),
    personaBootstrapPending: Type.Boolean(),
    personaBootstrapAllowSkip: Type.Boolean(),
    personaUiTheme: Type.Unknown(),
    personaDisplayLabel: Type.String(),
    heartbeatEnabled: Type.Boolean(),
    heartbeatUiStrip: Type.Boolean(),
    dictationWebSpeech: Type.Boolean(),
    dictationAudioCue: Type.Boolean(),
    transcribeEnabled: Type.Boolean(),
    ttsEnabled: Type.Boolean(),
    ttsVoice: Type.String(),
    demoModel: Type.Boolean(),
    activeChat: nullable(activeChat),
    plugins: Type.Array(
      Type.Object({ name: Type.String(), origin: Type.String(), state: Type.String(), reason: Type.Optional(Type.String()) }, { additionalProperties: false }),
    ),
  },
  { additionalProperties: Type.Unknown({ description: 'What a plugin adds (`config.build`), under a name of its own.' }) },
);

/** The token goes only to a caller on this machine: a paired device must not learn the token that outlives its own. */
export function createConfigReplyBuilder(registry: Registry<typeof manifest>, emitter: Emitter): (caller: { isLocal: boolean }) => Promise<ConfigReply> {
  const { services, config } = registry;

  return async ({ isLocal }) => {
    const built = await emitter.call('config.build', [baseReply()]);
    const webAuthToken = isLocal ? await services.webToken?.current() : undefined;
    return { ...baseReply(), ...built, ...(webAuthToken === undefined ? {} : { webAuthToken }) };
  };

  function baseReply(): ConfigReply {
    return {
      productName: services.product.title,
      version: services.product.version,
      uiVerbosity: config.uiVerbosity,
      approvalTimeoutMs: approvalTimeoutMs(),
      personaBootstrapEnabled: false,
      personaBootstrapPending: false,
      personaBootstrapAllowSkip: true,
      personaUiTheme: null,
      personaDisplayLabel: '',
      heartbeatEnabled: false,
      heartbeatUiStrip: false,
      dictationWebSpeech: false,
      dictationAudioCue: false,
      transcribeEnabled: false,
      ttsEnabled: false,
      ttsVoice: 'af_sky',
      demoModel: false,
      activeChat: null,
      plugins: services.kernel
        .report()
        .plugins.map(({ name, origin, state, reason }) => ({ name, origin, state, ...(reason === undefined ? {} : { reason }) })),
    };
  }

  /** Declared by the plugin that asks for approvals; its default stands in where that plugin is not loaded. */
  function approvalTimeoutMs(): number {
    const value = services.kernel.fields().find((field) => field.key === 'AGENT_APPROVAL_TIMEOUT_MS')?.value;
    return typeof value === 'number' ? value : 120_000;
  }
}
