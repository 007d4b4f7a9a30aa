// Lists the speech programs: espeak-ng for most languages, and flite.
import type { AudioEngine } from 'agent-harness/builtins/voice/audio-engines';
import type { Programs } from '../find-speech-programs.ts';
import type { ProgramParts } from '../run-program.ts';

export interface SpeechEngineParts extends ProgramParts {
  readonly programs: Programs;
}

const espeak = ['espeak-ng', 'espeak'];
const flite = ['flite'];

export function speechEngines(parts: SpeechEngineParts): readonly AudioEngine<'speech'>[] {
  const { programs } = parts;
  return [
    {
      ...{ kind: 'speech', name: 'espeak-ng', title: 'eSpeak NG', place: 'here', rank: 20 },
      state: () => programs.state(espeak, 'espeak-ng'),
      load: async () => (await import('./espeak.ts')).createEspeak(() => programs.find(espeak), parts),
    },
    {
      ...{ kind: 'speech', name: 'flite', title: 'Flite', place: 'here', rank: 21 },
      state: () => programs.state(flite, 'flite'),
      load: async () => (await import('./flite.ts')).createFlite(() => programs.find(flite), parts),
    },
  ];
}
