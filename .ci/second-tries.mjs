// Lists the tests that passed only when they were run once more.
export default class SecondTries {
  #names = [];

  onTestCaseResult(test) {
    const { flaky } = test.diagnostic() ?? {};
    if (flaky) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd() {
    console.log(`${this.#names.length} passed at the second try${this.#names.map((name) => `\n  ${name}`).join('')}`);
  }
}
