// Decides which frames are speech: frames louder than the background by a margin, and fricatives next to such frames. Pure.
import { frameMs, silenceDb, type Frame } from './frames.ts';

export interface SpeechFrames {
  /** Returns whether the frame is speech. @param aboveDb level in dB that the frame must also exceed, such as that of the page's own voice */
  push(frame: Frame, aboveDb?: number): boolean;
  /** Background level of the room, in dB. */
  readonly floor: number;
}

/** Margin above the background in dB; a hissing consonant is quieter than a vowel. */
const overFloor = 9;
const hissOverFloor = 5;
const hissCrossings = 0.3;
/** Maximum difference from the peak in dB; quieter frames are an echo in the room or breathing. */
const underPeak = 36;
const peakFallDb = 0.02;
/** Minimum level of speech in dB, however quiet the room is. */
const leastDb = -58;
const quietRoomDb = -66;
/** Number of frames per block; the background level is that of the quietest of the last blocks. */
const blockFrames = 200 / frameMs;
const blocks = 10;
/** Background level in dB that is assumed until it has been measured, because the user may speak immediately. */
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
