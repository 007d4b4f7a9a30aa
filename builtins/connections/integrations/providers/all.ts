// Lists the built-in providers as data.
import type { IntegrationProvider } from '../contract.ts';
import { accounting } from './accounting.ts';
import { github } from './github.ts';
import { googleCloud, googleWorkspace, youtube } from './google.ts';
import { linear } from './linear.ts';
import { microsoft } from './microsoft.ts';
import { notion } from './notion.ts';
import { slack } from './slack.ts';

export const providers: readonly IntegrationProvider[] = [googleWorkspace, microsoft, googleCloud, github, slack, linear, notion, accounting, youtube];
