// Opens the microphone with 16 kHz samples, and converts its errors into sentences for users.
import { perObject } from '#page/kit/per-object.ts';
import { soundContext } from '#page/kit/sound-context.ts';
import { rate } from './frames.ts';
import { createResampler, type Resampler } from './resample.ts';
import captureUrl from './capture-worklet.ts?worker&url';
import { t, table } from '#page/kit/t.ts';

export interface Microphone {
  /** Name assigned by the system; empty if it has none. */
  readonly label: string;
  close(): void;
}

export interface MicrophoneOptions {
  /** Id of the selected microphone; default, also if the selected one is missing: the default of the system. */
  readonly deviceId?: string;
  /** Called with samples at 16 kHz, one channel. */
  readonly onSamples: (samples: Float32Array) => void;
  /** Called when the microphone was unplugged or taken over by another program. */
  readonly onGone: () => void;
}

/** Error of the microphone. The message is a sentence for users. */
export class MicrophoneError extends Error {
  override readonly name = 'MicrophoneError';
}

/** Loads the worklet, once per audio context. */
const captureOf = perObject('capture', (sound: AudioContext) => sound.audioWorklet.addModule(captureUrl));

/** Opens the microphone. Rejects with a {@link MicrophoneError}. The caller must close it. */
export async function openMicrophone({ deviceId, onSamples, onGone }: MicrophoneOptions): Promise<Microphone> {
  const stream = await askFor(deviceId);
  const [track] = stream.getAudioTracks();
  let isClosed = false;

  function close(): void {
    isClosed = true;
    for (const one of stream.getTracks()) one.stop();
  }

  let source: MediaStreamAudioSourceNode;
  let node: AudioWorkletNode;
  let resampler: Resampler;
  try {
    const sound = soundContext();
    await sound.resume();
    await captureOf(sound);
    resampler = createResampler(sound.sampleRate, rate);
    source = sound.createMediaStreamSource(stream);
    node = new AudioWorkletNode(sound, 'capture', { numberOfOutputs: 0 });
  } catch (fault) {
    close();
    throw new MicrophoneError(t('The browser could not open the microphone. Reload the page, then try again.'), { cause: fault });
  }
  node.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
    if (!isClosed) onSamples(resampler.push(data));
  };
  source.connect(node);
  track?.addEventListener('ended', () => {
    if (!isClosed) onGone();
  });
  return {
    label: track?.label ?? '',
    close() {
      close();
      source.disconnect();
      node.port.onmessage = null;
    },
  };
}

/** Lists the microphones of this machine; without names until the user has allowed the use of one. */
export async function listMicrophones(): Promise<readonly { readonly id: string; readonly label: string }[]> {
  const devices = await hearing().enumerateDevices();
  const inputs = devices.filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '');
  return inputs.map(({ deviceId: id, label }, index) => ({ id, label: label === '' ? t('Microphone {index}', { index: index + 1 }) : label }));
}

function hearing(): MediaDevices {
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices) return devices;
  throw new MicrophoneError(t('Browsers allow the microphone only on pages of this machine and pages over HTTPS. Open the page in one of these ways.'));
}

async function askFor(deviceId: string | undefined): Promise<MediaStream> {
  const devices = hearing();
  const usual = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 };
  const ask = (audio: MediaTrackConstraints): Promise<MediaStream> => devices.getUserMedia({ audio });
  try {
    if (deviceId === undefined) return await ask(usual);
    return await ask({ ...usual, deviceId: { exact: deviceId } }).catch((fault: unknown) => {
      if (nameOf(fault) === 'OverconstrainedError' || nameOf(fault) === 'NotFoundError') return ask(usual);
      throw fault;
    });
  } catch (fault) {
    throw new MicrophoneError(reasons[nameOf(fault)] ?? t('The microphone cannot be used ({error}).', { error: nameOf(fault) }), { cause: fault });
  }
}

const nameOf = (fault: unknown): string => (fault instanceof Error || fault instanceof DOMException ? fault.name : 'unknown');

const reasons: Readonly<Record<string, string>> = table({
  NotAllowedError: 'The browser blocks the microphone for this page. Allow it in the address bar, then try again.',
  NotFoundError: 'No microphone found. Connect one, then try again.',
  NotReadableError: 'The microphone does not respond. Another program may be using it. Close that program, then try again.',
  AbortError: 'The microphone stopped responding. Try again.',
});
