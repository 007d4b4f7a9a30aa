// Detects whether bot protection refused a request, because a retry with other headers helps only in that case.

/** Matches texts of common bot protection: its messages, and the names of its scripts. */
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
