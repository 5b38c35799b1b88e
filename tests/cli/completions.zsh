# completions.zsh FOLDER WORDS: prints the long options that zsh offers after WORDS, with the completion in FOLDER.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT=; fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -u -D; LISTMAX=10000; stty rows 500 cols 300; print REA''DY"
zpty -r -m shell out '*READY*'
zpty -w -n shell "$2"$'\t'
for i in {1..50}; do
	sleep 0.1
	if zpty -r -t shell more; then
		all+=$more
		while zpty -r -t shell more; do all+=$more; done
	elif [[ $all == *' -- '* ]]; then
		break
	fi
done
zpty -d shell
print -r -- "$all" | sed -E $'s/\x1b\\[[0-9;?]*[a-zA-Z]//g; s/\r/\\\n/g' | sed -nE 's/^(((-[A-Za-z]|--[a-z][a-z-]*) +)+)-- .*/\1/p' | grep -oE -- '--[a-z][a-z-]*'
