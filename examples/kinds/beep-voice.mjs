// An audio engine for speech: plays one tone per word, on this machine.

const rate = 16_000;

/** @param {string} text converted to WAV audio with one tone of 0.1 seconds per word */
function tones(text) {
  const words = text.split(/\s+/).filter(Boolean);
  const samples = Buffer.alloc(words.length * (rate / 10) * 2);
  for (let at = 0; at < samples.length / 2; at++) {
    const pitch = 300 + 40 * (words[Math.floor(at / (rate / 10))]?.length ?? 0);
    samples.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * pitch * at) / rate)), at * 2);
  }
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('audio_engine', {
    kind: 'speech',
    name: 'beeps',
    title: 'Beeps',
    place: 'here',
    rank: 90,
    state: () => ({ isUsable: true }),
    load: async () => ({
      synthesize: async ({ text }) => ({
        mimeType: 'audio/wav',
        audio: (async function* () {
          yield tones(text);
        })(),
        cost: () => 0,
      }),
      voices: async () => [{ id: 'sine', title: 'A sine' }],
    }),
  });
}
