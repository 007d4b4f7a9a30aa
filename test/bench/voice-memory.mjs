// What a recording of 25 MB adds to the memory of the built server, above what it takes after a small one: while it is uploaded, and while it
// is written down in each form. `npm run build && node test/bench/voice-memory.mjs`
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const clipBytes = 26_214_400;
const main = fileURLToPath(new URL('../../dist/main.mjs', import.meta.url));
const mb = (bytes) => (bytes / 1024 / 1024).toFixed(1);

/** Loud and soft in turns, as speech is; whole numbers of 16 bits, 16,000 a second. */
function clipOf(bytes) {
  const clip = Buffer.alloc(bytes);
  clip.write('RIFF', 0, 'latin1');
  clip.writeUInt32LE(bytes - 8, 4);
  clip.write('WAVEfmt ', 8, 'latin1');
  clip.writeUInt32LE(16, 16);
  clip.writeUInt16LE(1, 20);
  clip.writeUInt16LE(1, 22);
  clip.writeUInt32LE(16_000, 24);
  clip.writeUInt32LE(32_000, 28);
  clip.writeUInt16LE(2, 32);
  clip.writeUInt16LE(16, 34);
  clip.write('data', 36, 'latin1');
  clip.writeUInt32LE(bytes - 44, 40);
  for (let at = 44; at + 1 < bytes; at += 2) clip.writeInt16LE(Math.round(8_000 * Math.sin(at / 20) * Math.abs(Math.sin(at / 10_000))), at);
  return clip;
}

const bodyOf = (bytes) => JSON.stringify({ dataUrl: `data:audio/wav;base64,${clipOf(bytes).toString('base64')}` });
const small = bodyOf(64_000);
const large = bodyOf(clipBytes);

for (const wire of ['multipart', 'json']) {
  const provider = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"heard"}'));
  });
  await new Promise((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const home = await mkdtemp(join(tmpdir(), 'voice-memory-'));
  const child = spawn(process.execPath, [main, 'serve'], {
    cwd: home,
    env: {
      ...{ PATH: process.env.PATH, HOME: home, APP_HOME: home, PORT: '0', AGENT_TRANSCRIBE_WIRE: wire },
      ...{ AGENT_API_BASE_URL: `http://127.0.0.1:${provider.address().port}/v1`, AGENT_API_KEY: 'k' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let said = '';
    const url = await new Promise((resolve) =>
      child.stdout.setEncoding('utf8').on('data', (text) => {
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec((said += text));
        if (found) resolve(found[0]);
      }),
    );
    const token = (await readFile(join(home, 'web_token'), 'utf8')).trim();
    const post = async (path, body) =>
      (await fetch(url + path, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body })).json();
    const rss = async () => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))[1]) * 1024;
    const rise = async (work) => {
      const before = await rss();
      let most = before;
      const timer = setInterval(() => void rss().then((now) => (most = Math.max(most, now))), 5);
      const answer = await work();
      clearInterval(timer);
      return { rise: Math.max(most, await rss()) - before, answer };
    };
    const tell = (what, bytes) => console.log(`${wire} ${what}: +${mb(bytes)} MB, ${(bytes / clipBytes).toFixed(2)} x the recording`);
    await post('/api/transcribe', JSON.stringify({ attachmentId: (await post('/api/audio/upload', small)).attachmentId }));
    const upload = await rise(() => post('/api/audio/upload', large));
    tell('upload', upload.rise);
    const writing = await rise(() => post('/api/transcribe', JSON.stringify({ attachmentId: upload.answer.attachmentId })));
    if (writing.answer.text !== 'heard') throw new Error(JSON.stringify(writing.answer));
    tell('transcription', writing.rise);
  } finally {
    child.kill();
    await new Promise((resolve) => child.once('close', resolve));
    provider.closeAllConnections();
    await new Promise((resolve) => provider.close(resolve));
    await rm(home, { recursive: true, force: true });
  }
}
