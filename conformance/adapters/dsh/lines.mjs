// Lines of bytes in and out.  node:readline is no use here: it also splits at U+2028 and U+2029, which are
// ordinary characters inside a JSON string.
import { writeSync } from 'node:fs'
import process from 'node:process'

const LF = 0x0a

/** Yield each LF-terminated line of a byte stream as text; bytes that are not UTF-8 become U+FFFD. */
export async function* lines(stream) {
  let parts = []
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      parts.push(chunk.subarray(start, end))
      yield (parts.length === 1 ? parts[0] : Buffer.concat(parts)).toString('utf8')
      parts = []
      start = end + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  }
}

/** Keep stdout for the protocol: what anyone else prints goes to stderr.  Returns the only way to write a line. */
export function claimStdout() {
  process.stdout.write = process.stderr.write.bind(process.stderr)
  return (text) => {
    const bytes = Buffer.from(`${text}\n`, 'utf8')
    for (let done = 0; done < bytes.length; ) {
      try {
        done += writeSync(1, bytes, done)
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error // a full pipe that is not blocking: try again
      }
    }
  }
}
