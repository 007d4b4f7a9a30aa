// Decides which frames are speech: louder than the background by a margin, or fricatives beside such frames. Pure.
import { frameMs, silenceDb, type Frame } from './frames.ts';

export interface SpeechFrames {
  /** @param aboveDb a level that the frame has to exceed in addition, such as the page's own voice */
  push(frame: Frame, aboveDb?: number): boolean;
  /** The level of the room, in dB. */
  readonly floor: number;
}

/** dB above the room; a hissing consonant is quieter than a vowel. */
const overFloor = 9;
const hissOverFloor = 5;
const hissCrossings = 0.3;
/** Anything that much quieter than the voice is its echo in the room, or breath. */
const underPeak = 36;
const peakFallDb = 0.02;
/** Below this level there is no speech, however quiet the room is. */
const leastDb = -58;
const quietRoomDb = -66;
/** The level of the room is that of the quietest of the last blocks. */
const blockFrames = 200 / frameMs;
const blocks = 10;
/** The user may speak at once, so a guess is used until it is measured. */
const guessedDb = -48;
const guessBlocks = 3;

export function createSpeechFrames(): SpeechFrames {
  const quietest: number[] = [];
  let inBlock = 0;
  let lowest = 0;
  let smooth: number | undefined;
  let peak = silenceDb;

  function takeFloor({ db }: Frame): void {
    smooth = smooth === undefined ? db : smooth + 0.3 * (db - smooth);
    lowest = inBlock === 0 ? smooth : Math.min(lowest, smooth);
    if (++inBlock < blockFrames) return;
    inBlock = 0;
    quietest.push(lowest);
    if (quietest.length > blocks) quietest.shift();
  }

  function floor(): number {
    const found = Math.min(...quietest, inBlock === 0 ? 0 : lowest);
    return Math.max(quietRoomDb, quietest.length < guessBlocks ? Math.min(found, guessedDb) : found);
  }

  return {
    get floor() {
      return floor();
    },
    push(frame, aboveDb = silenceDb) {
      takeFloor(frame);
      const { db, crossings } = frame;
      const room = floor();
      const over = crossings >= hissCrossings ? hissOverFloor : overFloor;
      const isSpeech = db > Math.max(room + over, leastDb, peak - underPeak, aboveDb);
      if (isSpeech) peak = Math.max(db, peak - peakFallDb);
      else peak -= peakFallDb;
      return isSpeech;
    },
  };
}
