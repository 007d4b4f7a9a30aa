// Detects whether a refused request met a bot wall, because only then another attempt with other headers may help.

/** Matches texts of common bot walls: their messages, and names of their scripts. */
const marks = new RegExp(
  [
    'just a moment',
    'attention required',
    'checking your browser',
    'verify (?:that )?you are (?:a )?human',
    'are you (?:a )?(?:human|robot)',
    'not a robot',
    'unusual traffic',
    'automated (?:access|requests|queries)',
    'bot (?:detection|protection)',
    'enable javascript and cookies',
    'access (?:to this page has been )?denied',
    'request blocked',
    'captcha',
    'cf-chl|cf-browser-verification|challenge-platform',
    'datadome|perimeterx|px-captcha|incapsula|imperva|akamai|ddos-guard|sucuri',
  ].join('|'),
  'i',
);

/** @param html beginning of the refusal's body */
export function isBotWall(html: string): boolean {
  return marks.test(html.slice(0, 50_000));
}
