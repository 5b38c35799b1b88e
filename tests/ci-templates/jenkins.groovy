// SPDX-License-Identifier: Apache-2.0
// Runs a declarative Jenkinsfile as far as its steps go: `sh` for real, as Jenkins starts it (sh -xe FILE), all others only
// noted. Names that are no section, directive or step are errors, as they are for Jenkins. The linter of Jenkins itself is a
// part of its server, and not used here.
//
//   groovy jenkins.groovy JENKINSFILE      prints {"result": ..., "steps": [...]}
import groovy.json.JsonOutput

class Pipeline {
    static final SECTIONS = [
        '': ['pipeline'],
        pipeline: ['agent', 'options', 'environment', 'parameters', 'triggers', 'tools', 'stages', 'post'],
        agent: ['label', 'docker', 'kubernetes', 'any', 'none'],
        options: ['timeout', 'disableConcurrentBuilds', 'skipDefaultCheckout', 'timestamps', 'buildDiscarder'],
        stages: ['stage'],
        stage: ['agent', 'steps', 'stages', 'parallel', 'matrix', 'when', 'environment', 'options', 'post'],
        post: ['always', 'changed', 'failure', 'success', 'unstable', 'aborted', 'cleanup'],
    ]
    static final STEPS = ['sh', 'script', 'junit', 'archiveArtifacts', 'publishHTML', 'unstable', 'error', 'stash', 'unstash']
    static final ORDER = ['NOT_BUILT', 'SUCCESS', 'UNSTABLE', 'FAILURE']
    String result = 'SUCCESS'
    List<String> inside = ['']
    List<Map> steps = []

    void worse(String other) {
        if (ORDER.indexOf(other) > ORDER.indexOf(result)) result = other
    }

    // A step that fails ends its stages, and what is in `post` runs all the same.
    void block(String name, Closure body) {
        inside << name
        body.delegate = this
        body.resolveStrategy = Closure.DELEGATE_FIRST
        try {
            body()
        } catch (IllegalStateException failed) {
            worse('FAILURE')
            if (name != 'stages') throw failed
        } finally {
            inside.remove(inside.size() - 1)
        }
    }

    int sh(Map how) {
        def file = File.createTempFile('script', '.sh')
        file.text = how.script
        def process = new ProcessBuilder(['sh', '-xe', file.path]).redirectErrorStream(true).start()
        process.outputStream.close()
        System.err << process.inputStream
        int code = process.waitFor()
        file.delete()
        steps << [step: 'sh', code: code]
        if (!how.returnStatus && code != 0) throw new IllegalStateException("script returned exit code $code")
        return how.returnStatus ? code : 0
    }

    void unstable(String text) { steps << [step: 'unstable', text: text]; worse('UNSTABLE') }
    void error(String text) { steps << [step: 'error', text: text]; throw new IllegalStateException(text) }

    def methodMissing(String name, Object given) {
        def arguments = given as List
        def known = SECTIONS[inside.last()] ?: STEPS
        if (!(name in known)) throw new MissingMethodException(name, Pipeline, given as Object[])
        if (arguments && arguments.last() instanceof Closure) block(name, arguments.last())
        else if (known.is(STEPS)) steps << [step: name, given: arguments]
    }
}

def pipeline = new Pipeline()
def script = new GroovyShell().parse(new File(args[0]))
script.metaClass.methodMissing = { String name, given -> pipeline.methodMissing(name, given) }
try {
    script.run()
} catch (IllegalStateException failed) {
    pipeline.worse('FAILURE')
}
println JsonOutput.toJson([result: pipeline.result, steps: pipeline.steps])
