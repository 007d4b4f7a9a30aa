// Blocks a release if the model facts (defaults, shutdowns) were checked more than 30 days ago. Run by `npm version`.
import { readFileSync } from 'node:fs';

const mostDays = 30;
const [, checkedOn] = /checkedOn: '(\d{4}-\d\d-\d\d)'/.exec(readFileSync('plugins/models/model-facts.ts', 'utf8')) ?? [];
const days = Math.floor((Date.now() - Date.parse(checkedOn ?? '')) / 86_400_000);
if (!(days <= mostDays)) {
  console.error(`plugins/models/model-facts.ts was checked ${days} days ago (at most ${mostDays}). Check its sources, mend it, and set checkedOn to today.`);
  process.exit(1);
}
