// Lists the tests that passed only on the second attempt, with the error and line of the first attempt.
import { stripVTControlCharacters } from 'node:util';

const longest = 400;

export default class SecondTries {
  #rows = [];

  onTestCaseResult(test) {
    const { flaky } = test.diagnostic() ?? {};
    if (!flaky) return;
    const lines = (test.result().errors ?? []).map(({ message = '', stacks = [] }) => {
      const place = stacks.find(({ file }) => file.includes('.test.')) ?? stacks[0];
      return `\n    ${stripVTControlCharacters(message).replace(/\s+/g, ' ').slice(0, longest)}${place ? ` (line ${place.line})` : ''}`;
    });
    this.#rows.push(`${test.module.relativeModuleId} > ${test.fullName}${lines.join('')}`);
  }

  onTestRunEnd() {
    console.log(`${this.#rows.length} passed at the second try${this.#rows.map((row) => `\n  ${row}`).join('')}`);
  }
}
