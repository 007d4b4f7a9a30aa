// A code as people read it: in capitals, with a dash in the middle. Pure.
export function tidyCode(typed: string): string {
  const letters = typed
    .replace(/[^a-z]/gi, '')
    .toUpperCase()
    .slice(0, 8);
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}
