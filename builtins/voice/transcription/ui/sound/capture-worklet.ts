// Runs in the audio thread and posts its samples in chunks of about 20 ms.

interface Processor {
  readonly port: MessagePort;
}
declare const sampleRate: number;
declare const AudioWorkletProcessor: new () => Processor;
declare function registerProcessor(name: string, processor: new () => Processor): void;

const pieceMs = 20;

class Capture extends AudioWorkletProcessor {
  #piece = new Float32Array(Math.round((sampleRate * pieceMs) / 1000));
  #filled = 0;

  process([input = []]: readonly (readonly Float32Array[])[]): boolean {
    const [channel] = input;
    for (const sample of channel ?? []) {
      this.#piece[this.#filled++] = sample;
      if (this.#filled < this.#piece.length) continue;
      this.port.postMessage(this.#piece, [this.#piece.buffer]);
      this.#piece = new Float32Array(Math.round((sampleRate * pieceMs) / 1000));
      this.#filled = 0;
    }
    return true;
  }
}

registerProcessor('capture', Capture);
