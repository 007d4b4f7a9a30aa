// Finds the browser of this system.
import { findChromium } from 'agent-harness/lib/chromium';

/** Throws a sentence that says what to install. */
export async function findProgram(configured: string): Promise<string> {
  const program = await findChromium(configured);
  if (program !== undefined) return program;
  if (configured !== '') throw new Error(`AGENT_BROWSER_PATH is ${configured}, and that is no program; give the absolute path of Chromium, Chrome or Edge.`);
  throw new Error('There is no Chromium, Chrome or Edge on this machine. A person has to install one of them, or to set AGENT_BROWSER_PATH to where it is.');
}
