// Serves `GET /api/audio/engines`, which returns the selected engines and the hosts that receive audio.
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import type { AudioEngines, AudioKind, KnownEngine } from './contract.ts';

const engine = Type.Object({
  name: Type.String(),
  title: Type.String(),
  plugin: Type.String(),
  place: Type.Union([Type.Literal('here'), Type.Literal('provider')], {
    description: 'Destination of the audio or the text: the server or a provider.',
  }),
  goesTo: Type.Optional(Type.String({ description: 'Host that receives it.' })),
  isUsable: Type.Boolean(),
  code: Type.Optional(Type.String({ description: 'Reason why the engine is unavailable: no_key, not_installed, not_offered, switched_off.' })),
  reason: Type.Optional(Type.String({ description: 'Reason and remedy, for users.' })),
});
const kind = Type.Object({
  inUse: Type.Union([Type.String({ description: 'Name of the engine.' }), Type.Null()]),
  engines: Type.Array(engine, { description: 'Engines in the order in which they are tried.' }),
});

const schema = { reply: Type.Object({ transcription: kind, speech: kind }) };

export function createEnginesRoute(service: AudioEngines): Route<typeof schema> {
  const read = async (of: AudioKind): Promise<{ inUse: string | null; engines: ReturnType<typeof shown>[] }> => {
    const [all, inUse] = await Promise.all([service.engines(of), service.inUse(of)]);
    return { inUse: inUse?.name ?? null, engines: all.map(shown) };
  };
  return {
    key: 'GET /api/audio/engines',
    summary: 'Lists the engines for transcription and speech, the selected ones, and the destination of the audio.',
    tag: 'audio',
    permission: 'chats.write',
    schema,
    async handle() {
      const [transcription, speech] = await Promise.all([read('transcription'), read('speech')]);
      return { transcription, speech };
    },
  };
}

function shown({ state, ...info }: KnownEngine): Omit<KnownEngine, 'state'> & { readonly isUsable: boolean; readonly code?: string; readonly reason?: string } {
  return { ...info, ...state };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/audio/engines': typeof schema;
  }
}
