// A process that requests the token of an account repeatedly. Arguments: home, place (JSON), repetitions.
import { openAccounts, type TokenPlace } from './refresh-kit.ts';

const [home = '', place = '', times = '1'] = process.argv.slice(2);
const accounts = openAccounts(home, JSON.parse(place) as TokenPlace);
for (let time = 0; time < Number(times); time++) await Promise.all([accounts.token('bookshop'), accounts.token('bookshop')]);
