// Computes four words that two users compare to verify that both ends have the same secret. Also runs in browsers.
import { deriveBytes, type SealContext } from './sealed-link.ts';

/** 256 words that sound and look different, one for each byte value. */
const words = `
  acorn amber anchor apple april arch arrow atlas bacon badge bamboo banjo barn basil basket beach bean bear beaver bell berry bicycle birch
  bird bishop blanket bloom boat bone bottle bowl branch bread brick bridge broom brush bucket button cabin cactus camel candle canoe canyon
  carpet carrot castle cedar chain chair cheese cherry chess circle citrus clock cloud clover coast cobra coffee comet copper coral corn
  cotton cradle crane crayon cricket crown crystal curtain daisy dancer desert diamond dinner dolphin donkey door dragon drum eagle easel echo
  elbow ember engine fabric falcon farmer feather fence fern fiddle finger flame flute forest fossil fountain fox frost galaxy garden garlic
  gate ginger giraffe glacier globe glove goose granite grape guitar hammer harbor hawk hazel helmet heron honey horse igloo island ivory
  jacket jaguar jelly jewel jungle kayak kettle kitten ladder lagoon lake lamp lantern lemon lily lion lizard lobster locket lotus magnet
  mango maple marble market meadow melon mirror mitten monkey moon mountain muffin mushroom napkin needle nest noodle nutmeg oasis ocean olive
  onion opera orange orchard otter owl oyster paddle palace panda panther paper parrot peach peanut pebble pelican pencil penguin pepper piano
  pigeon pillow pine pirate planet plum pocket pony poppy potato pumpkin puzzle quartz rabbit radio radish raven ribbon river robin rocket
  rose saddle sailor salmon sandal saturn scarf shadow shell silver sketch sparrow spider sponge squirrel statue stone summer sunset swan
  table teapot temple thunder tiger timber tomato tower tulip tunnel turnip turtle valley velvet violin walnut walrus whale willow window
  winter yogurt zebra
`
  .trim()
  .split(/\s+/);

/** Returns the four words, which are the same at both ends. The probability that a different secret or context gives the same words is one in four billion. */
export function spokenCheck(secret: Uint8Array, context: SealContext): string {
  return [...deriveBytes(secret, ['spoken check', ...context], 4)].map((byte) => words[byte]).join(' ');
}
