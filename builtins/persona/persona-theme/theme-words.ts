// Lists words that indicate a theme choice or a colour.

const table: Readonly<Record<string, string>> = {
  // Moods.
  calm: 'calm quiet gentle patient zen peaceful soft relaxed serene monk librarian therapist ruhig sanft geduldig gelassen leise tranquilo calme doux paciente',
  warm: 'warm kind friendly caring cosy cozy loving encouraging supportive grandma grandmother mother coffee autumn homely herzlich freundlich gemütlich lieb cálido amable chaleureux gentil',
  fresh: 'fresh crisp clean bright optimistic energetic sporty coach spring minty modern cheerful frisch klar heiter fresco frais joyeux',
  playful:
    'playful funny silly cute whimsical witty joking cheeky goofy clown pirate cat kitten kid kids cartoon bubbly sarcastic verspielt lustig witzig frech gracioso drôle rigolo',
  serious:
    'serious formal professional strict concise terse blunt precise factual sober butler lawyer banker military analytical minimal minimalist scientific ernst sachlich knapp nüchtern förmlich serio sérieux sobre',
  bold: 'bold loud fierce dramatic confident punk rebel rock metal superhero warrior hacker cyberpunk neon villain commander mutig laut kühn wild audaz fier',
  dreamy:
    'dreamy poetic mystical magical romantic fairy wizard witch oracle space cosmic astronaut whimsy surreal poet artist verträumt poetisch magisch soñador rêveur poétique',
  // Corners.
  sharp: 'strict precise military sharp terse blunt angular robot formal minimal minimalist hacker terminal punk brutalist lawyer streng eckig scharf',
  round: 'cute bubbly round friendly gentle playful cosy cozy soft kind kid kids kitten cat silly rund weich lieb verspielt',
  // Spacing.
  compact: 'concise terse brief dense compact expert efficient hacker terminal analytical short knapp kurz dicht breve bref',
  airy: 'calm patient zen airy spacious slow gentle peaceful dreamy poetic meditative monk ruhig luftig geduldig',
  // Fonts.
  humanist: 'warm human teacher caring grandma grandmother mentor coach therapist doctor nature gardener herzlich menschlich lehrer',
  rounded: 'cute bubbly playful kid kids cartoon kitten friendly silly cheerful sweet verspielt süß niedlich',
  serif:
    'poet poetic scholar literary classic classical librarian professor philosopher victorian butler old elegant novelist historian pirate shakespeare sherlock monk wizard lawyer gelehrter klassisch elegant dichter',
  mono: 'hacker terminal robot coder programmer unix engineer cyberpunk machine retro android console geek nerd roboter',
};

/** Supported choices by word. */
export const wordsOf: ReadonlyMap<string, readonly string[]> = grouped(
  Object.entries(table).flatMap(([choice, words]) => words.split(' ').map((word): [string, string] => [word, choice])),
);

const colours: Readonly<Record<string, string>> = {
  '#c0392b': 'red crimson ruby scarlet cherry blood rot rojo rouge',
  '#d2691e': 'orange pumpkin copper fox autumn sunset rust naranja herbst fuchs',
  '#c99700': 'yellow gold golden sun sunny honey lemon amber banker bee gelb gold amarillo jaune sonne',
  '#2e8b57': 'green forest emerald nature garden gardener jungle leaf grün wald verde vert natur',
  '#3fa796': 'mint minty teal turquoise türkis sage lagoon',
  '#1f8fb8': 'cyan ocean sea water aqua wave sailor pirate meer wasser océan mar agua',
  '#2f57c9': 'blue navy sapphire sky professional blau azul bleu himmel',
  '#4b3fbf': 'indigo midnight night space cosmic astronaut nacht noche nuit weltraum',
  '#7d3fc0': 'purple violet lavender wizard witch magic magical mystical lila violett morado',
  '#c03f8f': 'pink magenta rose romantic candy fuchsia bubblegum rosa',
  '#7a5230': 'brown coffee chocolate wood earth leather bear braun kaffee marrón café holz',
  '#6b7280': 'grey gray silver steel robot stone granite grau stein gris',
  '#00a86b': 'neon hacker terminal matrix cyberpunk jade',
};

/** Named colour by word. */
export const namedHues: ReadonlyMap<string, string> = new Map(
  Object.entries(colours).flatMap(([hex, words]) => words.split(' ').map((word): [string, string] => [word, hex])),
);

function grouped(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [word, choice] of pairs) found.set(word, [...(found.get(word) ?? []), choice]);
  return found;
}
