// Text from models, tools and pages made safe for a terminal: it must not move the cursor or hide what a person approves.

/** Control characters except tab and line feed (escape sequences start with one), and marks that reverse the reading order. */
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export function makeSafe(text: string): string {
  return text.replace(unsafe, '');
}
