import { expect } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';

/** Message 0 asks; then a call, its result and a reply for each of 8 rounds: results are 2, 5, 8 … 23. */
export function session(): Session {
  const made = new Session().user('Go through the shop.');
  for (let round = 0; round < 8; round += 1) {
    const [name, input] =
      round % 2 === 0
        ? ['Read', { file_path: `${round}.ts` }]
        : ['Bash', { command: `cat ${round}.ts` }];
    made.calls({ name, input, result: tokensOf(500 + round, `v_${round}`) });
    made.says(`Round ${round} is over.`);
  }
  return made.user('And?').says('Done.');
}

/** Numbers of the messages that are not what they were; message counts are equal when blocks are edited. */
export function edited(input: Session, text: string): number[] {
  const { messages } = JSON.parse(text) as Session;
  expect(messages).toHaveLength(input.messages.length);
  return input.messages.flatMap((message, at) =>
    JSON.stringify(message) === JSON.stringify(messages[at]) ? [] : [at],
  );
}
